import { atmHome } from "../../../domain/team/atm-paths.ts";
import { askDaemon } from "../../state/daemon-client.ts";
import { atmFileProblem, openTeamAccess, socketOwner } from "../teams/team-access.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding } from "./finding.ts";

/** Findings about agent-team-mail; empty where there is neither a project file nor a socket. */
export async function teamFindings({ env, cwd, home, dist }: DoctorContext): Promise<DoctorFinding[]> {
  const found = atmFileProblem(cwd);
  const access = openTeamAccess({ env, cwd });
  const owner = await socketOwner(access);
  const findings: DoctorFinding[] = [];
  if (found && found.problem !== "") {
    const fix =
      "Correct the line that is named. Until then hooks ignore the file: they know no team, no registry and no socket.";
    findings.push(noteFinding("team file", `${found.file}: ${found.problem}`, fix));
  } else if (found) {
    findings.push(
      okFinding(
        "team file",
        `${found.file}: team ${access.atm?.team || "none"}, identity ${access.identity || "none"}`,
      ),
    );
  }
  if (!found && owner === "nobody") return findings;
  const { teams: standings = {} } = await askDaemon(home, env, "status", dist);
  const problem = standings[atmHome(access.where)]?.problem;
  if (problem !== undefined) findings.push(noteFinding("team socket", `it could not be opened: ${problem}`));
  else if (owner === "silent")
    findings.push(
      noteFinding("team socket", `${access.places.socket}: a program accepts connections there but does not answer`),
    );
  else if (owner === "another")
    findings.push(
      noteFinding(
        "team socket",
        `${access.places.socket} belongs to another daemon; Hookwright passes on to it what the hooks report`,
      ),
    );
  else
    findings.push(
      okFinding(
        "team socket",
        owner === "us" ? `open at ${access.places.socket}` : "will be opened when a session starts in this project",
      ),
    );
  return findings;
}
