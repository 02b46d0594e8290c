import { RstToHtmlCompiler } from "rst-compiler";

const quiet = { disableErrors: true, disableWarnings: true };

/** Compiles reStructuredText beside the page: whatever it costs, the page goes on and can end it. */
self.onmessage = ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage(new RstToHtmlCompiler().compile(data, quiet, quiet).body);
  } catch {
    self.postMessage(null); // it is no reStructuredText; the text is shown as it is
  }
};
