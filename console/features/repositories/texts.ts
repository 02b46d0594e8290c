import { addTexts } from "../../language/i18n.ts";
import { mirrorTexts } from "../../language/mirror-texts.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(mirrorTexts);
