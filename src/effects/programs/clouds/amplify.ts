import { program } from "../../program.ts";

export default program({
  names: ["amplify"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["delete", "deletes the project's resources"],
    ["env remove", "removes the environment {}"],
  ],
  examples: {
    hit: ["amplify delete", "amplify env remove web"],
    pass: ["amplify push"],
  },
});
