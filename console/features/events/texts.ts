import { eventTexts } from "../../language/event-texts.ts";
import { addTexts } from "../../language/i18n.ts";
import { mailTexts } from "../../language/mail-texts.ts";
import { repositoryTexts } from "../../language/repository-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(repositoryTexts);
addTexts(eventTexts);
addTexts(mailTexts);
