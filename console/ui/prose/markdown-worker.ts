import { compileMarkdown } from "./compile-markdown.ts";

/** Compiles long Markdown outside the page's thread: some texts take time that grows with their square. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(compileMarkdown(data));
