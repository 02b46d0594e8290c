import { eventTexts } from "../language/event-texts.ts";
import { addTexts } from "../language/i18n.ts";

// Imported by every component that shows these texts, before it renders.
addTexts(eventTexts);
