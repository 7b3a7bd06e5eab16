import { NUGET_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";

export default program({
  names: ["dotnet"],
  kind: "destroy-database",
  values: "s source k api-key",
  dry: "dry-run",
  rules: [
    ["ef database drop|delete", "drops the database"],
    ["nuget push", PACKAGE, { kind: "publish" }],
    ["nuget delete", UNPUBLISH, { kind: "publish" }],
  ],
  registry: NUGET_REGISTRY,
  examples: {
    hit: [
      "dotnet ef database drop --force",
      "dotnet nuget push a.nupkg -k key",
      "dotnet nuget push a.nupkg -s https://api.nuget.org/v3/index.json",
      "dotnet nuget delete",
    ],
    pass: [
      "dotnet ef database update",
      "dotnet pack",
      "dotnet publish -c Release",
      "dotnet nuget push a.nupkg --source http://localhost:5555/v3/index.json",
      "dotnet nuget push a.nupkg -s ./packages",
    ],
  },
});
