import { parentPort, workerData } from "node:worker_threads";
import { type ManualSource, renderManual } from "@packhouse/formats/r/manual/render-manual";

// Only `html-manual.ts` starts this, and gives it what it read itself.
parentPort?.postMessage(renderManual(workerData as ManualSource));
