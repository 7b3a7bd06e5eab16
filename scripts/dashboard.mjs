/**
 * Starts the dashboard with a story of several agents, sent through the real engine, for work on its pages:
 *
 *   npm run build && npm run pages [-- --port 4480]
 *
 * It prints the address and goes on telling the story until it is interrupted. Your own files are not touched.
 */
import { parseArgs } from "node:util";
import { Place } from "./dashboard/place.mjs";
import { Agent, play, SESSIONS } from "./dashboard/story.mjs";

const STEP_MS = 1_500;
const { values } = parseArgs({ options: { port: { type: "string" } } });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const place = new Place({ profiles: ["safety", "plan"] });
let isOver = false;
process.once("SIGINT", () => {
  isOver = true;
});
try {
  await play(place);
  console.log(await place.startDashboard(values.port));
  const working = SESSIONS.filter(({ end }) => end.runs !== undefined).map((session) => new Agent(place, session));
  for (let number = 0; !isOver; number++) {
    const agent = working[number % working.length];
    const { steps } = agent.session;
    await agent.take(steps[Math.floor(number / working.length) % steps.length], () => pause(STEP_MS));
  }
} finally {
  await place.dispose();
}
