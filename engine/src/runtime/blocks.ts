/** Elements that may not stand in a paragraph. */
export const BLOCKS = /^(?:p|div|ul|ol|table|pre|blockquote|figure|h[1-6]|section|details)$/;
