import { program } from "../../program.ts";

export default program({
  names: ["machinectl"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["remove", "removes the machine {}"],
    ["clean", "removes every image", { needs: "all" }],
  ],
  examples: {
    hit: ["machinectl remove web", "machinectl clean --all"],
    pass: ["machinectl clean"],
  },
});
