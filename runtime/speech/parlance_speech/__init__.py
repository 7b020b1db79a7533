"""Local speech recognition and synthesis behind the OpenAI audio protocol."""
