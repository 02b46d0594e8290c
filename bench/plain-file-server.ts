import { closeSync, openSync, read } from "node:fs";
import { createServer } from "node:net";

/** The least that Node has to do to send a file, in chunks as large as the product's. */
const [file = "", size = "0", port = "0"] = process.argv.slice(2);
const chunkBytes = 512 * 1024;

createServer((socket) => {
  socket.once("data", () => {
    const descriptor = openSync(file, "r");
    const buffer = Buffer.allocUnsafeSlow(chunkBytes);
    const sendNext = () =>
      read(descriptor, buffer, 0, chunkBytes, null, (error, bytes) => {
        if (!error && bytes > 0) return void socket.write(buffer.subarray(0, bytes), sendNext);
        closeSync(descriptor);
        socket.end();
      });
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`, sendNext);
  });
}).listen(Number(port), () => process.send?.("ready"));
