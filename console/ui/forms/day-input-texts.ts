import { calendarTexts } from "../../language/calendar-texts.ts";
import { addTexts } from "../../language/i18n.ts";

// Imported by whatever shows these texts, before it is drawn.
addTexts(calendarTexts);
