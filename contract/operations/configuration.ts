import { z } from "zod";
import { publicConfiguration, rConfiguration } from "../configuration.ts";
import { read } from "../operation.ts";

export const readConfiguration = read("/config", {
  permission: "readConfiguration",
  summary: "What the server's settings mean for its clients",
  data: publicConfiguration,
});
export const readRConfiguration = read("/r/config", {
  permission: "readConfiguration",
  summary: "The targets for which R binaries are accepted",
  data: rConfiguration,
});
export const readVersion = read("/version", {
  permission: "readConfiguration",
  summary: "Version of the server",
  data: z.string(),
});
export const configurationOperations = [readConfiguration, readRConfiguration, readVersion] as const;
