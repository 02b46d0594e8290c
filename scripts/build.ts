import { provideBuilds } from "./provide-builds.ts";

/** `npm run build`: what `npm start` builds before it starts, for servers that something else starts. */
await provideBuilds();
