import { addTexts } from "../../language/i18n.ts";
import { uploadTexts } from "../../language/upload-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(uploadTexts);
