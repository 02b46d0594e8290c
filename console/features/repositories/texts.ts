import { addTexts } from "../../language/i18n.ts";
import { mirrorTexts } from "../../language/mirror-texts.ts";
import { repositoryTexts } from "../../language/repository-texts.ts";

// Imported by every module that shows these texts, before it renders.
addTexts(mirrorTexts);
addTexts(repositoryTexts);
