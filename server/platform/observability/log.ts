import { type DestinationStream, type Level, type Logger, pino } from "pino";
import { traceFields } from "./trace.ts";

/** The log: lines of JSON, each with the id of its trace. */
export const createLog = (level: Level | "silent", destination?: DestinationStream): Logger =>
  pino({ level, mixin: () => traceFields() }, destination ?? pino.destination(1));
