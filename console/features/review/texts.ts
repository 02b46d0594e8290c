import { addTexts } from "../../language/i18n.ts";
import { reviewTexts } from "../../language/review/review-texts.ts";

// Imported by the screen, before it renders.
addTexts(reviewTexts);
