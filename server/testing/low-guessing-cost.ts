import { isLong } from "@packhouse/fixtures/long-form";
import { guessingCost } from "../platform/secrets/guessing-cost.ts";

// Hashing passwords would take a twentieth of the time of the API tests. Their long form has the product's own cost.
if (!isLong) {
  Object.assign(guessingCost.argon2, { memory: 8, passes: 1 });
  Object.assign(guessingCost.scrypt, { N: 2 });
}
