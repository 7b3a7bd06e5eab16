/** Fields whose value stands in the address under `name`, so that the view can be reloaded and shared. */
import { fromQuery, setQuery } from "../frame/address.ts";

interface FieldProps {
  readonly name: string;
  readonly label?: string;
  readonly placeholder?: string;
}

export function QueryField({ name, label = name, placeholder }: FieldProps) {
  const common = {
    value: fromQuery(name),
    placeholder,
    spellcheck: false,
    autocomplete: "off",
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setQuery({ [name]: currentTarget.value }),
  };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: one of the two is inside
    <label class="field">
      <span>{label}</span>
      {name === "search" ? <input type="search" {...common} /> : <input {...common} />}
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label?: string;
  /** The first one is the usual one, and is not written into the address: its value is "". */
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function QueryChoice({ name, label = name, options }: ChoiceProps) {
  const value = fromQuery(name);
  const isListed = options.some(([id]) => id === value);
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
        {(isListed ? options : [...options, [value, value] as const]).map(([id, text]) => (
          <option key={id} value={id} selected={id === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
