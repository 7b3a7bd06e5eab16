import { program } from "../../program.ts";

export default program({
  names: ["firebase"],
  kind: "destroy-infrastructure",
  service: true,
  values: "P project token",
  rules: [
    ["firestore:delete|database:remove", "deletes {}", { kind: "destroy-database" }],
    ["*:delete|hosting:disable|database:remove|remoteconfig:rollback", "removes {} from the service"],
  ],
  examples: {
    hit: [
      "firebase firestore:delete --all-collections",
      "firebase firestore:delete -r users --force",
      "firebase database:remove /",
      "firebase functions:delete f",
    ],
    pass: ["firebase deploy", "firebase projects:list", "firebase emulators:start"],
  },
});
