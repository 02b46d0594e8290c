import { finished } from "node:stream";
import type { FastifyReply } from "fastify";

/** Calls back when the answer is sent or its connection is lost, even if that happened before this call. */
export function whenOver({ raw }: FastifyReply, done: () => void): void {
  finished(raw, () => done());
}
