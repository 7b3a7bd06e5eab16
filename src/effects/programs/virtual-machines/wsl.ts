import { program } from "../../program.ts";

export default program({
  names: ["wsl", "wsl.exe"],
  kind: "destroy-infrastructure",
  exempt: "their words are a command, which is read by itself",
  rules: [["**", "removes the whole Linux system", { needs: "unregister" }]],
  examples: {
    hit: ["wsl --unregister"],
    pass: ["wsl --list"],
  },
});
