import type { ComponentChildren } from "preact";

interface Props {
  readonly class: string;
  /** A name that begins with ">" heads a column of numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

export function Table({ class: name, columns, rows }: Props) {
  const look = (index: number): string => (columns[index]?.startsWith(">") ? "number" : "");
  return (
    <table class={name}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th scope="col" class={look(index)}>
              {column.replace(">", "")}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell, index) => (
              <td class={look(index)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
