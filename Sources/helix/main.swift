print("helix")
