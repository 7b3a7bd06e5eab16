import { program } from "../../program.ts";

export default program({
  names: ["keytool"],
  kind: "delete-tree",
  rules: [["**", "removes a key", { needs: "delete", target: "last" }]],
  examples: {
    hit: ["keytool -delete -alias web"],
    pass: ["keytool -list -keystore k.jks"],
  },
});
