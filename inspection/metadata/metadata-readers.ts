import type { Technology } from "@packhouse/contract/technology";
import type { MetadataReader } from "./package-metadata.ts";
import { pythonMetadata } from "./python-metadata.ts";
import { rMetadata } from "./r-metadata.ts";

export const metadataReaders: Record<Technology, MetadataReader> = { R: rMetadata, Python: pythonMetadata };
