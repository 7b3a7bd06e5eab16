import { program } from "../../program.ts";

export default program({
  names: ["security"],
  kind: "delete-tree",
  values: "a s l c Z",
  rules: [
    [
      "delete-keychain|delete-generic-password|delete-internet-password|delete-identity|delete-certificate",
      "deletes {}",
    ],
  ],
  examples: {
    hit: ["security delete-keychain web"],
    pass: ["security find-certificate -a"],
  },
});
