// As its guide sets it up: search by Pagefind, code by Expressive Code, a sidebar of all pages.
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://docs.example.com",
  integrations: [starlight({ title: "Peer" })],
});
