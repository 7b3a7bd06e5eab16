import { program } from "../../program.ts";
import { lftpCommands } from "./lftp-commands.ts";

export default program({
  names: ["lftp"],
  kind: "delete-tree",
  exempt: "they take options and files, no subcommands",
  also: lftpCommands,
  examples: {
    hit: ['lftp -e "mirror -R --delete dist /www; quit" h'],
    pass: ['lftp -e "mirror -R dist /www; quit" h', "lftp list"],
  },
});
