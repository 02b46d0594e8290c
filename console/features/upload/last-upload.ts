import { z } from "zod";
import { readOwn, storeOwn } from "../../session/own-storage.ts";

const key = "packhouse.upload";

/** The repository and the options of a user's last upload. */
const uploadChoice = z.object({ repository: z.string(), replace: z.boolean(), generateManual: z.boolean() });
export type UploadChoice = z.infer<typeof uploadChoice>;
export const lastUpload = (userId: number): UploadChoice | undefined => readOwn(key, userId, uploadChoice);
export const storeLastUpload = (userId: number, choice: UploadChoice): void => storeOwn(key, userId, choice);
