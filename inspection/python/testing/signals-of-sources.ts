import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import { inspectProject, type Project } from "./inspect-sources.ts";

export const signalsOf = (project: Project): Signal[] => inspectProject(project).signals;

export const wheelMetadata = { "orchard-1.0.dist-info/top_level.txt": "orchard\n" };

/** Of a wheel of `orchard` with these files. */
export const wheel = (files: Record<string, string>, more: Partial<Project> = {}): Signal[] =>
  signalsOf({ kind: "binary", files: { "orchard/__init__.py": "", ...wheelMetadata, ...files }, ...more });

export const found = (signals: readonly Signal[]): string[] =>
  signals.map(({ id, level, subject }) => `${level} ${id} ${subject}`);

export const atLeast = (signals: readonly Signal[], level: SignalLevel): Signal[] =>
  signals.filter((signal) => signalLevels.indexOf(signal.level) >= signalLevels.indexOf(level));
