import { program } from "../../program.ts";

export default program({
  names: ["supabase"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["db reset", "drops and recreates the database"],
    ["projects delete", "deletes the project {}"],
    ["branches delete", "deletes the branch {}"],
    ["stop", "removes the local databases", { needs: "no-backup" }],
    ["functions delete", "deletes the function {}"],
    ["secrets unset", "deletes the secrets {}"],
  ],
  examples: {
    hit: [
      "supabase db reset --linked",
      "supabase functions delete mailer",
      "supabase secrets unset API_KEY",
      "supabase stop --no-backup",
      "supabase projects delete web",
      "supabase branches delete web",
    ],
    pass: ["supabase db diff", "supabase functions list", "supabase secrets list", "supabase stop"],
  },
});
