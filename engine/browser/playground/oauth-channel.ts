/** Between the playground and the page after a sign-in, at the same origin. */
export const CHANNEL = "docstead-oauth";
