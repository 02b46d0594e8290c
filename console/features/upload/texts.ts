import { addTexts } from "../../language/i18n.ts";
import { uploadTexts } from "../../language/upload-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(uploadTexts);
