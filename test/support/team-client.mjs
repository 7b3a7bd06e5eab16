// Reports the life of one agent to the socket, one event per connection, and asks again with the same id whenever an
// answer does not arrive. Prints one line per answered event.
import net from "node:net";

const [socket, agent, team, count] = process.argv.slice(2);
const GIVE_UP = Date.now() + 180_000;

function once(line) {
  return new Promise((resolve) => {
    let received = "";
    const connection = net.connect(socket, () => connection.write(line));
    connection.setTimeout(2_000, () => connection.destroy());
    connection.setEncoding("utf8").on("data", (text) => {
      received += text;
      if (received.endsWith("\n")) connection.destroy();
    });
    connection.on("error", () => undefined);
    connection.on("close", () => resolve(received.endsWith("\n") ? JSON.parse(received) : undefined));
  });
}

let again = 0;
for (let i = 0; i < Number(count); i++) {
  const event = i === 0 ? "session_start" : i === Number(count) - 1 ? "session_end" : "teammate_idle";
  const payload = { event, agent, team, session_id: `session-of-${agent}`, source: { kind: "atm_mcp" }, number: i };
  const line = `${JSON.stringify({ version: 1, request_id: `${agent}-${i}`, command: "hook-event", payload })}\n`;
  for (let answer; answer?.status !== "ok"; again++) {
    if (Date.now() > GIVE_UP) process.exit(1);
    answer = await once(line);
    if (answer?.status === "ok") {
      if (answer.payload.processed !== true) throw new Error(JSON.stringify(answer));
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(`answered ${i}`);
}
console.log(`asked again ${again}`);
