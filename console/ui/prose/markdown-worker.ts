import { compileMarkdown } from "./compile-markdown.ts";

/** Compiles long Markdown outside of the page's thread: some texts take quadratic time. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(compileMarkdown(data));
