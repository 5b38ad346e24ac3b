"""questionary's list."""

import questionary

print(questionary.select("Which database?", choices=["PostgreSQL", "SQLite", "MongoDB"]).ask())
