/** What client/shim.cjs takes, which the plugins for opencode and pi carry out; any other field makes it deny the call. */
import * as z from "zod";

const text = z.string().min(1);
const said = { notice: text.optional() };
const input = z.record(z.string(), z.unknown());

/** Nothing but words for the person. */
export const told = z.strictObject(said);
export const noted = z.strictObject({ ...said, note: text.optional() });
export const denied = z.strictObject({ ...said, deny: text });
export const held = z.strictObject({ ...said, hold: text });
export const call = z.union([denied, z.strictObject({ ...said, note: text.optional(), args: input.optional() })]);
export const result = z.strictObject({ ...said, note: text.optional(), output: z.string().optional() });
/** A note that no person reads. */
export const notedAlone = z.strictObject({ note: text });
