import { calendarTexts } from "../../language/calendar-texts.ts";
import { addTexts } from "../../language/i18n.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(calendarTexts);
