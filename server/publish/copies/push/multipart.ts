import { randomUUID } from "node:crypto";

/** A part of a form: a text, a value as JSON, or a file that is streamed. */
export type FormPart =
  | { name: string; text: string }
  | { name: string; json: unknown }
  | { name: string; fileName: string; body: AsyncIterable<Uint8Array> };

/** A form per RFC 7578, generated while it is sent: each part is requested when the previous one is complete. */
export function multipart(
  parts: AsyncIterable<FormPart>,
  onChunk: () => void,
): { type: string; body: AsyncGenerator<Uint8Array> } {
  const boundary = `packhouse-${randomUUID()}`;
  return { type: `multipart/form-data; boundary=${boundary}`, body: bytesOf(parts, boundary, onChunk) };
}

async function* bytesOf(
  parts: AsyncIterable<FormPart>,
  boundary: string,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    onChunk();
    yield Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n`);
    if ("text" in part) yield Buffer.from(part.text);
    else if ("json" in part) yield Buffer.from(JSON.stringify(part.json));
    else
      for await (const chunk of part.body) {
        onChunk();
        yield chunk;
      }
    yield Buffer.from("\r\n");
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function headersOf(part: FormPart): string {
  const disposition = `content-disposition: form-data; name="${quoted(part.name)}"`;
  if ("text" in part) return `${disposition}\r\n`;
  if ("json" in part) return `${disposition}\r\ncontent-type: application/json\r\n`;
  return `${disposition}; filename="${quoted(part.fileName)}"\r\ncontent-type: application/octet-stream\r\n`;
}

/** As browsers write it; nothing in a name may end the header. */
const quoted = (text: string): string => text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
