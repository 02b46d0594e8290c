/** What whoever runs the product can mend: a wrong setting, a wrong option. Shown as its sentence, without a stack. */
export class Mistake extends Error {}
