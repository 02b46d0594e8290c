import { addTexts } from "../../language/i18n.ts";
import { mailTexts } from "../../language/mail-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(mailTexts);
