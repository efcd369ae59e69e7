from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("console", "0011_running_export"),
    ]

    operations = [
        migrations.CreateModel(
            name="Purge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("locked_until", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "purge",
            },
        ),
    ]
