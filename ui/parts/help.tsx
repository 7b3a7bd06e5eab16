import { isHelpOpen } from "../frame/keyboard.ts";
import { PAGES } from "../frame/pages.ts";
import { Dialog } from "./dialog.tsx";

const KEYS = [
  ["j  k", "the next and the previous row"],
  ["Enter", "open the row"],
  ["/", "search"],
  ["Esc", "leave, close"],
  ["?", "this list"],
] as const;

export function Help() {
  if (!isHelpOpen.value) return null;
  const pages = PAGES.map(({ key, name }) => [`g ${key}`, name] as const);
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {[...KEYS, ...pages].map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
