/** Of the shell, by language (scripts/build.mjs). */
declare module "translations" {
  const translations: Record<string, Record<string, Record<string, string>>>;
  export default translations;
}
