import { connect, type Socket } from "node:net";

/** An answer with all of its body. */
export interface Answer {
  status: number;
  body: Buffer;
}

/** Sends a request as it is: the head with its empty line, and the body. */
type Send = (parts: readonly (string | Uint8Array)[]) => Promise<Answer>;

/** Connections to one server that are kept and used again, each for one request at a time. */
export interface Connections {
  send: Send;
}

/** An answer of which a part may still be on its way. */
interface Incoming extends PromiseWithResolvers<Answer> {
  chunks: Buffer[];
  received: number;
  /** Once the head is complete. */
  head?: { status: number; bodyStart: number; end: number; closes: boolean };
}

const headEnd = Buffer.from("\r\n\r\n");

/** HTTP/1.1 for answers with a `content-length`, which those of servers and balancers under test have. */
export function connectionsTo(address: string): Connections {
  const { hostname, port } = new URL(address);
  const idle: Send[] = [];

  function open(): Send {
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let current: Incoming | undefined;
    const fail = (error: Error) => current?.reject(error);
    const send: Send = (parts) => {
      const incoming: Incoming = { ...Promise.withResolvers<Answer>(), chunks: [], received: 0 };
      current = incoming;
      socket.cork();
      for (const part of parts) socket.write(part, "latin1");
      socket.uncork();
      return incoming.promise;
    };
    socket.on("data", (chunk) => {
      if (!current) return void socket.destroy(new Error("an answer without a request"));
      current.chunks.push(chunk);
      current.received += chunk.length;
      try {
        const answer = completed(current);
        if (!answer) return;
        const { resolve, head } = current;
        current = undefined;
        if (head?.closes) socket.destroy();
        else idle.push(send);
        resolve(answer);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
      }
    });
    socket.on("error", fail).on("close", () => {
      fail(new Error("the connection was closed"));
      const place = idle.indexOf(send);
      if (place !== -1) idle.splice(place, 1);
    });
    return send;
  }
  return { send: (parts) => (idle.pop() ?? open())(parts) };
}

/** The answer if all of it has arrived. */
function completed(incoming: Incoming): Answer | undefined {
  if (!incoming.head) {
    if (incoming.chunks.length > 1) incoming.chunks = [Buffer.concat(incoming.chunks)];
    const [first = Buffer.alloc(0)] = incoming.chunks;
    const at = first.indexOf(headEnd);
    if (at === -1) return undefined;
    incoming.head = readHead(first.toString("latin1", 0, at), at + headEnd.length);
  }
  const { status, bodyStart, end } = incoming.head;
  if (incoming.received < end) return undefined;
  const [first = Buffer.alloc(0), ...rest] = incoming.chunks;
  const body = first.subarray(bodyStart);
  return { status, body: rest.length === 0 ? body : Buffer.concat([body, ...rest]) };
}

function readHead(head: string, bodyStart: number): NonNullable<Incoming["head"]> {
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const hasBody = status !== 204 && status !== 304;
  if (hasBody && length === undefined) throw new Error(`an answer without a length: ${head}`);
  return {
    status,
    bodyStart,
    end: bodyStart + (hasBody ? Number(length) : 0),
    closes: /\r\nconnection: *close/i.test(head),
  };
}
