// Validates GraphQL documents against GitHub's own schema. Prints the messages of each.
import { validate } from "@octokit/graphql-schema";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const errors = JSON.parse(input).map((query) => validate(query).map((error) => error.message));
console.log(JSON.stringify(errors));
