// Says what is wrong with GraphQL documents, by GitHub's own schema.
import { validate } from "@octokit/graphql-schema";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const faults = JSON.parse(input).map((query) => validate(query).map((fault) => fault.message));
console.log(JSON.stringify(faults));
