import { RstToHtmlCompiler } from "rst-compiler";

const quiet = { disableErrors: true, disableWarnings: true };

/** Compiles reStructuredText in a worker: whatever it costs, the page stays responsive and can terminate it. */
self.onmessage = ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage(new RstToHtmlCompiler().compile(data, quiet, quiet).body);
  } catch {
    self.postMessage(null); // invalid reStructuredText; the caller shows the plain text
  }
};
