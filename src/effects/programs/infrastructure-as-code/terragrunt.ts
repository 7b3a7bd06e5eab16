import { program } from "../../program.ts";

export default program({
  names: ["terragrunt"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["run-all|run|stack destroy", "destroys every unit"],
    ["stack run destroy", "destroys every unit"],
    ["destroy|destroy-all", "destroys everything that this configuration made"],
    ["apply|run-all|run apply", "destroys what the configuration made", { needs: "destroy" }],
    [
      "apply",
      "changes and destroys without asking",
      { needs: "auto-approve", instead: "look at a plan of the changes first" },
    ],
    [
      "run-all|run apply",
      "changes and destroys without asking",
      {
        needs: "auto-approve terragrunt-non-interactive non-interactive",
        instead: "look at a plan of the changes first",
      },
    ],
    ["state rm", "removes {} from the state"],
  ],
  examples: {
    hit: [
      "terragrunt run-all destroy",
      "terragrunt destroy --terragrunt-non-interactive",
      "terragrunt run --all destroy",
      "terragrunt apply -auto-approve",
      "terragrunt run-all apply --terragrunt-non-interactive",
      "terragrunt stack run destroy",
      "terragrunt apply apply --destroy",
      "terragrunt state rm web",
    ],
    pass: [
      "terragrunt plan-all",
      "terragrunt run-all plan",
      "terragrunt apply",
      "terragrunt run-all plan --terragrunt-non-interactive",
    ],
  },
});
