import { task } from "../../platform/workers/task.ts";
import type { documentation, manual, vignette } from "./read-documents.ts";

export const readDocumentationTask = task<typeof documentation>("read-documentation", "documents");
export const readVignetteTask = task<typeof vignette>("read-vignette", "documents");
export const renderManualTask = task<typeof manual>("render-manual", "documents");
