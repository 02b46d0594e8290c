import { addTexts } from "../../language/i18n.ts";
import { packageTexts } from "../../language/package-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(packageTexts);
