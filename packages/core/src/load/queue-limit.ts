/** Statements that the pacer lets either side be ahead of the other (SPEC 3.4). */
export const QUEUE_STATEMENTS = 8;
